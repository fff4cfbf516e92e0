import type { StoredMedia } from './media-origin.ts';

/** The files of a function: its own, and objects of the bucket through a range proxy. */
export type Disk = {
  write(path: string, file: StoredMedia): void;
  /** @throws Error if there is no file */
  read(path: string): StoredMedia & { key?: string };
  /** Maps a path to an object of the bucket, or to an input in place. */
  mount(path: string, read: () => StoredMedia & { key?: string }): void;
};

/** The empty disk of a new function. */
export function newDisk(): Disk {
  const files = new Map<string, () => StoredMedia & { key?: string }>();
  return {
    write: (path, file) => void files.set(path, () => file),
    mount: (path, read) => void files.set(path, read),
    read: (path) => {
      const read = files.get(path);
      if (read === undefined) throw new Error(`There is no file ${path}`);
      return read();
    },
  };
}
