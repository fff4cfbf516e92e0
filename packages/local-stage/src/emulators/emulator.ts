export type Emulator = {
  /** Base URL, `http://127.0.0.1:<port>`. */
  endpoint: string;
  stop(): Promise<void>;
};
