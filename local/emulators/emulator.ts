/** An emulator that answers on this machine. */
export type Emulator = {
  /** Its base URL, `http://127.0.0.1:<port>`. */
  endpoint: string;
  stop(): Promise<void>;
};
