/** Who makes a request, once authenticated: everything is read and written on behalf of `ownerId`. */
export type Principal = {
  ownerId: string;
  caller: 'key' | 'session';
  /** Settles once the key's last use has been written; runs beside the request's own work. */
  noted?: Promise<void>;
};
