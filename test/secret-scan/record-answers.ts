import { recordAnswers } from './recorder.ts';

recordAnswers();
