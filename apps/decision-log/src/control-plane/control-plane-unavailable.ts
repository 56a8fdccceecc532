/** The control plane cannot be asked now, or does not take this service's token; the message says which, and holds no secret. */
export class ControlPlaneUnavailable extends Error {
  override readonly name = 'ControlPlaneUnavailable';
}
