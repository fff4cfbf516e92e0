/** Chunks of one owner that are encoded at the same time: fewer than a queue of the simulation processes at a time. */
export const maxRunningChunks = 2;
