/** The values of a statement: each call binds one, and gives the parameter as it stands in the text. No value ever becomes text of a statement. */
export interface SqlBindings {
  integer(value: number): string;
  double(value: number): string;
  text(value: string): string;
}
