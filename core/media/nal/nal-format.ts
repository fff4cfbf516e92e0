/** How the samples of a video are made of NAL units. */
export type NalFormat = {
  /** Of the length ahead of each unit. */
  lengthBytes: number;
  /** Of the header of each unit. */
  headerBytes: number;
  /** The bytes of a unit ahead of its slice data; all of a unit without any. Called for each unit in decoding order. */
  clearBytes(unit: Uint8Array): number;
  /** Whether a unit holds supplemental enhancement information ahead of its frame. */
  isSei(unit: Uint8Array): boolean;
};
