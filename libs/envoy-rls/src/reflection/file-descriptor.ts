/** One .proto file, for who asks what is served here. */
export interface FileDescriptor {
  /** Path, as other files import it. */
  readonly name: string;
  readonly imports: readonly string[];
  /** Full names of what it defines: messages, enums, services and their methods. */
  readonly symbols: readonly string[];
  /** `google.protobuf.FileDescriptorProto`. */
  readonly base64: string;
}
