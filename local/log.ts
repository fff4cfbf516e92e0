/** Logs a line. `source` is such as `function media-jobs-local-create-job` or `events`. */
export type Log = (source: string, line: string) => void;
