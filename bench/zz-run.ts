import { recipes } from './zz-try.ts';

console.log(await recipes.run((l) => console.log(l)));
