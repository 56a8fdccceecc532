import type { AlgorithmName } from '@sluice/algorithms';
import { chargeFixedWindow } from '../generated/charge-fixed-window.js';
import { chargeGcra } from '../generated/charge-gcra.js';
import { chargeLeakyBucket } from '../generated/charge-leaky-bucket.js';
import { chargeSlidingCounter } from '../generated/charge-sliding-counter.js';
import { chargeSlidingLog } from '../generated/charge-sliding-log.js';
import { chargeTokenBucket } from '../generated/charge-token-bucket.js';
import { refundFixedWindow } from '../generated/refund-fixed-window.js';
import { refundGcra } from '../generated/refund-gcra.js';
import { refundLeakyBucket } from '../generated/refund-leaky-bucket.js';
import { refundSlidingCounter } from '../generated/refund-sliding-counter.js';
import { refundSlidingLog } from '../generated/refund-sliding-log.js';
import { refundTokenBucket } from '../generated/refund-token-bucket.js';
import { takeFixedWindow } from '../generated/take-fixed-window.js';
import { takeGcra } from '../generated/take-gcra.js';
import { takeLeakyBucket } from '../generated/take-leaky-bucket.js';
import { takeSlidingCounter } from '../generated/take-sliding-counter.js';
import { takeSlidingLog } from '../generated/take-sliding-log.js';
import { takeTokenBucket } from '../generated/take-token-bucket.js';
import type { LuaScript } from '../lua-script.js';

/** The scripts of one algorithm, for a single counter. */
export interface AlgorithmScripts {
  readonly take: LuaScript;
  readonly refund: LuaScript;
  readonly charge: LuaScript;
}

export const ALGORITHM_SCRIPTS: Readonly<Record<AlgorithmName, AlgorithmScripts>> = {
  fixed_window: { take: takeFixedWindow, refund: refundFixedWindow, charge: chargeFixedWindow },
  sliding_log: { take: takeSlidingLog, refund: refundSlidingLog, charge: chargeSlidingLog },
  sliding_counter: { take: takeSlidingCounter, refund: refundSlidingCounter, charge: chargeSlidingCounter },
  token_bucket: { take: takeTokenBucket, refund: refundTokenBucket, charge: chargeTokenBucket },
  leaky_bucket: { take: takeLeakyBucket, refund: refundLeakyBucket, charge: chargeLeakyBucket },
  gcra: { take: takeGcra, refund: refundGcra, charge: chargeGcra },
};
