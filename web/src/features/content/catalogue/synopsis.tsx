import { useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../design/buttons/button.tsx'
import { followSize } from '../../../design/page/follow-size.ts'
import styles from './synopsis.module.css'

/**
 * A text with at least this many characters may need more than three lines. The layout then reserves space for the
 * button that expands the text.
 */
const MAY_BE_LONG = 130

/**
 * A text with at least this many characters certainly needs more than three lines. The button that expands the
 * text is then rendered from the start.
 */
const IS_LONG = 230

/** A synopsis cut to three lines. If it is longer, a button expands it. */
export function Synopsis({ text }: { text: string }) {
  const { t } = useTranslation()
  const id = useId()
  const paragraph = useRef<HTMLParagraphElement>(null)
  const [open, setOpen] = useState(false)
  const [cut, setCut] = useState(text.length > IS_LONG)
  useEffect(() => {
    const element = paragraph.current
    if (element === null) return undefined
    return followSize([element], () => {
      setCut((before) => (open ? before : element.scrollHeight > element.clientHeight + 1))
    })
  }, [open])
  if (text === '') return null
  return (
    <div className={styles.synopsis}>
      <p id={id} ref={paragraph} className={styles.text} data-open={open || undefined}>
        {text}
      </p>
      {(cut || text.length > MAY_BE_LONG) && (
        <div className={styles.more}>
          {cut && (
            <Button look="plain" aria-expanded={open} aria-controls={id} onPress={() => setOpen(!open)}>
              {t(open ? 'detail.readLess' : 'detail.readMore')}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}
