/** The service gave no answer that decides anything. A value, never thrown. */
export class ServiceFault {
  constructor(readonly reason: string) {}
}
