/** Logs a line. `source` is such as `function local-create-job` or `events`. */
export type Log = (source: string, line: string) => void;
