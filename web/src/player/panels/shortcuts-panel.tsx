import { PLAYER } from '@ondine/contract/constants'
import { useSelector } from '@xstate/react'
import { useTranslation } from 'react-i18next'
import { keySituation, shortcutsIn } from '../keyboard/keys.ts'
import type { PlayerActor } from '../machine/player-machine.ts'
import { OptionsPanel } from './options-panel.tsx'
import styles from './shortcuts-panel.module.css'

/** Symbols for keys. They are the same in every language. */
const SIGNS: Readonly<Record<string, string>> = {
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  PageUp: 'Page ↑',
  PageDown: 'Page ↓',
}

/**
 * The list of keys that have an effect on the current content (V4-59). `marks` says whether the content has marks
 * to seek to: chapters, or films of a block (a programme with several films).
 */
export function ShortcutsPanel({
  actor,
  marks,
  close,
}: {
  actor: PlayerActor
  marks: boolean
  close: () => void
}) {
  const { t } = useTranslation('player')
  const playable = useSelector(actor, ({ context }) => context.playable)
  const target = useSelector(actor, ({ context }) => context.target)
  const liveEpgProgram = useSelector(actor, ({ context }) => context.liveEpgProgram)
  const ad = useSelector(actor, ({ context }) => context.reading.ad)
  const signs: Readonly<Record<string, string>> = { ...SIGNS, ' ': t('keySpace'), Escape: t('keyEscape') }
  const written = (key: string, shift: boolean) => {
    const sign = signs[key] ?? key.toUpperCase()
    return shift ? `${t('keyShift')} ${sign}` : sign
  }
  return (
    <div className={styles.place}>
      <OptionsPanel id="player-shortcuts" label={t('shortcuts')} close={close} className={styles.panel}>
        <h2 className={styles.title}>{t('shortcuts')}</h2>
        <dl className={styles.list}>
          {shortcutsIn(
            keySituation({ playable, target, liveEpgProgram, reading: { ad } }, { marks, paused: false }),
          ).map(({ text, commands, shift = false }) => (
            <div key={text} className={styles.line}>
              <dt>
                {Object.keys(commands).map((key) => (
                  <kbd key={key} className={styles.key}>
                    {written(key, shift)}
                  </kbd>
                ))}
              </dt>
              <dd className={styles.text}>{t(text, { seconds: PLAYER.skipSeconds })}</dd>
            </div>
          ))}
        </dl>
      </OptionsPanel>
    </div>
  )
}
