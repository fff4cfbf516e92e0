import { recordAnswers } from './record.ts';

recordAnswers();
