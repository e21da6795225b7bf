/**
 * Splits a template into the words of a command line, at the spaces of its literal text only. An inserted value is
 * never split.
 *
 * @example commandLine`-c:v libx264 -i file:${path}` // ['-c:v', 'libx264', '-i', 'file:/a film.mp4']
 */
export function commandLine(
  literals: TemplateStringsArray,
  ...values: readonly (string | number)[]
): string[] {
  const all: string[] = []
  let word: string | undefined
  for (const [index, literal] of literals.entries()) {
    for (const piece of literal.split(/(\s+)/)) {
      if (piece === '') continue
      if (piece.trim() !== '') word = (word ?? '') + piece
      else if (word !== undefined) {
        all.push(word)
        word = undefined
      }
    }
    if (index < values.length) word = `${word ?? ''}${values[index]}`
  }
  return word === undefined ? all : [...all, word]
}
