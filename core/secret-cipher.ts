/** Encrypts secrets. The reference is authenticated: a ciphertext opens for its own reference only. */
export type SecretCipher<Ref> = {
  encrypt(secret: string, ref: Ref): Promise<string>;
  decrypt(encrypted: string, ref: Ref): Promise<string>;
};
