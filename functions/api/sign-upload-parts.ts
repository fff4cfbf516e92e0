import { route } from '../../adapters/runtime/http/route.ts';
import { mediaUploads } from '../../adapters/runtime/media-uploads.ts';
import { signUploadPartsContract } from '../../core/api/uploads.ts';
import { signUploadParts } from './app/uploads.ts';

export const handler = route(signUploadPartsContract, signUploadParts({ uploads: mediaUploads() }));
