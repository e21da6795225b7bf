import { piecesOf } from './highlight.ts'
import styles from './marked.module.css'

/** A title whose matching parts are marked. */
export function Marked({ text, wanted }: { text: string; wanted: readonly string[] }) {
  const pieces = piecesOf(text, wanted)
  if (!pieces.some(({ marked }) => marked)) return text
  let at = 0
  return pieces.map((piece) => {
    const key = at
    at += piece.text.length
    return piece.marked ? (
      <mark key={key} className={styles.mark}>
        {piece.text}
      </mark>
    ) : (
      piece.text
    )
  })
}
