/** A piece of a text. `marked` is true for a piece that matches the search. */
export interface TextPiece {
  text: string
  marked: boolean
}

/** Minimum length of a marked match, in characters. Shorter matches would mark half of every title. */
const SHORTEST = 2

/**
 * Splits a text into pieces, so that the pieces that match a search can be marked.
 *
 * @param wanted the words and beginnings of words to mark, in lower case and without accents
 */
export function piecesOf(text: string, wanted: readonly string[]): TextPiece[] {
  const pieces: TextPiece[] = []
  const add = (piece: TextPiece) => {
    const last = pieces.at(-1)
    if (last?.marked === piece.marked) last.text += piece.text
    else if (piece.text !== '') pieces.push(piece)
  }
  for (const word of text.split(/([\p{L}\p{N}\p{M}]+)/u)) {
    const length = markedLength(word, wanted)
    add({ text: word.slice(0, length), marked: true })
    add({ text: word.slice(length), marked: false })
  }
  return pieces.filter(({ text: part }) => part !== '')
}

/** Returns the number of characters at the beginning of a word that match the search. */
function markedLength(word: string, wanted: readonly string[]): number {
  // Letters are folded separately, because one letter may be folded to two characters.
  const folded = Array.from(word, (letter) => ({ letter, plain: fold(letter) }))
  const plain = folded.map((part) => part.plain).join('')
  const found = wanted
    .filter((begin) => begin.length >= SHORTEST && plain.startsWith(begin))
    .reduce((longest, begin) => Math.max(longest, begin.length), 0)
  let counted = 0
  let length = 0
  for (const part of folded) {
    if (counted >= found && part.plain !== '') break
    counted += part.plain.length
    length += part.letter.length
  }
  return length
}

function fold(letter: string): string {
  return letter
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll('œ', 'oe')
    .replaceAll('æ', 'ae')
    .replaceAll('ß', 'ss')
    .replaceAll('ø', 'o')
    .replaceAll('ł', 'l')
}
