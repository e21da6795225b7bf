/** What words are made of that sound as if they were some. */
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

/** A made-up word of `syllables` syllables; 16 to that power differ, and the same index has the same word every time. */
export function madeUpWord(index: number, syllables: number): string {
  let word = ''
  for (let left = index, count = 0; count < syllables; count++, left >>= 4) word += SYLLABLES[left % 16]
  return word
}
