/** Reads `length` bytes of a file from `offset`, fewer at its end. */
export type ReadAt = (offset: number, length: number) => Promise<Uint8Array>;
