import { join } from 'node:path';
import type { DecisionLogConfig } from '@sluice-app/decision-log';
import type { StandaloneConfig } from './config.js';

/** The decision log's part of the configuration, under the names that it knows; the control plane is known when it runs. */
export function decisionLogConfig(config: StandaloneConfig): Omit<DecisionLogConfig, 'adminUrl' | 'adminTokens'> {
  return {
    host: config.decisionLogHost,
    port: config.decisionLogPort,
    loginFailuresPerMinute: config.loginFailuresPerMinute,
    dataDir: config.decisionLogDir ?? join(config.dataDir, 'decisions'),
    clickhouseUrl: config.clickhouseUrl,
    retentionMs: config.retentionMs,
    abuseFile: config.abuseFile,
  };
}
