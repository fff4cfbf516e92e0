export type Emulator = {
  /** Base URL, `http://127.0.0.1:<port>`. */
  endpoint: string;
  stop(): Promise<void>;
};

/** An error response of an emulator. `code` is the AWS error code. */
export class EmulatorError extends Error {
  override readonly name = 'EmulatorError';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
