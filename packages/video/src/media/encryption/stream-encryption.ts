/** How the files of an adaptive stream are encrypted, as its request and its playlists say. The content key is not part of it. */
export type StreamEncryption = {
  scheme: 'aes-128';
  /** Where players load the content key. This service never opens it. */
  keyUri: string;
  /** 32 hexadecimal digits. Without it, the vector of each segment is its media sequence number. */
  iv?: string | undefined;
};
