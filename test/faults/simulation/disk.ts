import type { StoredMedia } from './media-origin.ts';

/** What a function reads by path: its own files, and behind an open door those of the bucket. */
export type Disk = {
  write(path: string, file: StoredMedia): void;
  /** Throws where there is nothing. */
  read(path: string): StoredMedia & { key?: string };
  /** From now on a path leads into the bucket. */
  mount(path: string, read: () => StoredMedia & { key: string }): void;
};

/** The disk of a function that has just started. */
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
