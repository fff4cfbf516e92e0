import { recordResponses } from './recorder.ts';

recordResponses();
