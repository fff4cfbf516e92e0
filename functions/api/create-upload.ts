import { createUploadContract } from '../../core/api/uploads.ts';
import { route } from '../runtime/http/route.ts';
import { newId } from '../runtime/random.ts';
import { mediaUploads } from '../runtime/uploads.ts';
import { createUpload } from './app/uploads.ts';

export const handler = route(createUploadContract, createUpload({ uploads: mediaUploads(), newId }));
