/** What processes ask each other for. */
export type Subject = 'metrics' | 'readiness';

/** Over the channel between the primary and a worker. */
export type ProcessMessage =
  /** A worker wants it of all processes; the primary wants it of one worker. */
  | { readonly sluice: 'question'; readonly id: number; readonly subject: Subject }
  | { readonly sluice: 'answer'; readonly id: number; readonly text: string };

/** Other libraries may send messages of their own. */
export function isProcessMessage(message: unknown): message is ProcessMessage {
  return typeof message === 'object' && message !== null && 'sluice' in message && 'id' in message && (message.sluice === 'question' || message.sluice === 'answer');
}
