/** Syllables from which invented words are built, so that they sound like real words. */
const SYLLABLES = [
  'ba',
  'dor',
  'li',
  'men',
  'ta',
  'ro',
  'vel',
  'sin',
  'qua',
  'per',
  'lo',
  'gri',
  'na',
  'fou',
  'che',
  'mar',
]

/**
 * Returns an invented word of `syllables` syllables. There are 16 to the power of `syllables` words. An index
 * always gives the same word.
 */
export function madeUpWord(index: number, syllables: number): string {
  let word = ''
  for (let left = index, count = 0; count < syllables; count++, left >>= 4) word += SYLLABLES[left % 16]
  return word
}
