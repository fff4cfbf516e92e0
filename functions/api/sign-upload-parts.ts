import { signUploadPartsContract } from '../../core/api/uploads.ts';
import { route } from '../runtime/http/route.ts';
import { mediaUploads } from '../runtime/media-uploads.ts';
import { signUploadParts } from './app/uploads.ts';

export const handler = route(signUploadPartsContract, signUploadParts({ uploads: mediaUploads() }));
