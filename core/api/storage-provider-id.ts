import * as z from 'zod';
import { storageProviderIdPattern } from '../storage/provider-id.ts';

/** The id of a storage provider in the body of a request. */
export const storageProviderIdSchema = z
  .string()
  .regex(storageProviderIdPattern, 'Must be the id of a storage provider');
