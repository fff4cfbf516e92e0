/** A job's own empty directory on the worker's disk. */
export type Workspace = {
  /** Where a download goes; `name` is ours, whatever the client called the file. */
  downloadPath(name: string): string;
  /** Makes an empty directory for what one step writes. */
  makeDirectory(name: string): Promise<string>;
  /** Gives back the disk that a file takes, or a directory. */
  free(path: string): Promise<void>;
  sizeBytes(path: string): Promise<number>;
  writeText(path: string, content: string): Promise<void>;
  readText(path: string): Promise<string>;
  /** Removes the directory with all that is in it. */
  remove(): Promise<void>;
};
