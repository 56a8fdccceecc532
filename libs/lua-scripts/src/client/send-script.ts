import type { Cluster, Command, Redis } from 'ioredis';
import type { ScriptCommand } from '../script-command.js';
import { connecting, nodeAt, nodeOf, slotsRefreshed } from './cluster-node.js';
import { holdWrites } from './hold-writes.js';
import { plainReply } from './plain-reply.js';
import { ScriptCall, type CallEnd, type CallFate, type CallWay } from './script-call.js';
import type { ScriptClient } from './script-client.js';
import { isNoScript, isRedirection } from './script-errors.js';

/** What ioredis uses of a command that it is given; its own type asks for the private fields of its class too. */
type Sendable = Pick<Command, 'name' | 'args' | 'inTransaction' | 'isTraced' | 'promise' | 'resolve' | 'reject' | 'toWritable' | 'getSlot' | 'setTimeout'>;

interface CallSink {
  sendCommand(call: Sendable): unknown;
}

const FIRST: CallWay = { bySource: false, redirected: false };

/**
 * Sends one call by EVALSHA, and only when the server says NOSCRIPT once more by EVAL, to the same node, since the keys are the same
 * (known failure 22). What one tick sends to a server leaves in one write. Any other failure ends the call: the script may have run (known
 * failure 26). `end` may hear of it within this function.
 */
export function sendScript<T>(client: ScriptClient, command: ScriptCommand<T>, end: CallEnd<T>): void {
  transmit(new ScriptCall(client, command, end, FIRST, FATE));
}

const FATE: CallFate = {
  replied({ client, command, end, way }, raw) {
    let value: unknown;
    try {
      const reply = plainReply(raw);
      // The script could not answer this call, and wrote nothing.
      const again = end.abandoned ? undefined : command.again?.(reply);
      if (again !== undefined) {
        transmit(new ScriptCall(client, again, end, way, FATE));
        return;
      }
      value = command.decode(reply);
    } catch (error) {
      end.rejected(error);
      return;
    }
    end.resolved(value);
  },
  failed(call, error) {
    const { client, command, end, way } = call;
    if (end.abandoned) end.rejected(error);
    else if (!way.bySource && isNoScript(error)) transmit(new ScriptCall(client, command, end, { ...way, bySource: true }, FATE));
    else if (client.isCluster && !way.redirected && isRedirection(error)) follow(call, error);
    else end.rejected(error);
  },
};

function transmit(call: ScriptCall): void {
  const { client, end, way } = call;
  if (!client.isCluster) return write(client as Redis, call);
  const cluster = client as Cluster;
  // Before it knows the slots ioredis holds a call back.
  if (cluster.status !== 'ready') return end.rejected(new Error('the cluster is not connected'));
  const node = way.redirected ? undefined : nodeOf(cluster, call.getSlot());
  // A node that is gone, or that another one named: ioredis asks around, and follows what it is told.
  if (node === undefined) return write(cluster, call);
  const opening = connecting(node);
  if (opening === undefined) return write(node, call);
  void opening.then(() => write(node, call));
}

function write(client: ScriptClient, call: ScriptCall): void {
  if (!client.isCluster) holdWrites(client as Redis);
  // A connection that is there for the first time has an offline queue of its own.
  const { status } = client;
  if (client !== call.client && status !== 'ready') return call.end.rejected(new Error(`the node is not connected: ${status}`));
  const sink: CallSink = client;
  sink.sendCommand(call);
}

/**
 * Another node has the slot, or none has just now, and nothing has run. ioredis follows for each call by itself, but it loses all except
 * the first that it brings to a node which was never connected: so that is connected to first.
 */
function follow({ client, command, end, way }: ScriptCall, error: Error): void {
  const cluster = client as Cluster;
  const [, , address = ''] = error.message.split(' ');
  const named = address === '' ? undefined : nodeAt(cluster, address);
  const found = named === undefined && address !== '' ? slotsRefreshed(cluster).then(() => nodeAt(cluster, address)) : Promise.resolve(named);
  void found
    .then((node) => node && connecting(node))
    .then(() => transmit(new ScriptCall(client, command, end, { ...way, redirected: true }, FATE)));
}
