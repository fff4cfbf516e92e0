/** A job's own empty directory on the worker's disk. */
export type Workspace = {
  /** Where the input is downloaded to: a fixed name, whatever the client called it. */
  inputPath: string;
  outputDirectory: string;
  sizeBytes(path: string): Promise<number>;
  writeText(path: string, content: string): Promise<void>;
  /** Removes the directory with all that is in it. */
  remove(): Promise<void>;
};
