import type { Ajv2020 } from 'ajv/dist/2020.js';
import { findKeyword } from './keyword-code.ts';

/**
 * Has Ajv forget what is wrong with an item that is not the one that `contains` looks for. It would keep that of all of them, in a list
 * that is copied for each.
 */
export function forgetOtherItems(ajv: Ajv2020): Ajv2020 {
  const contains = findKeyword(ajv, 'contains');
  const look = contains.code;
  contains.code = (context) => {
    const judgeItem = context.subschema.bind(context);
    context.subschema = (item, isValid) => {
      const judged = judgeItem(item, isValid);
      context.reset();
      return judged;
    };
    look(context);
  };
  return ajv;
}
