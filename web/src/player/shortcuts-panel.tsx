import { PLAYER } from '@ondine/contract/constants'
import { useSelector } from '@xstate/react'
import { useTranslation } from 'react-i18next'
import { OptionsPanel } from './options-panel.tsx'
import { canMove } from './player-context.ts'
import type { PlayerActor } from './player-machine.ts'
import styles from './shortcuts-panel.module.css'

/** The keys of the player, as far as they do something to what plays (V4-59). */
export function ShortcutsPanel({ actor, close }: { actor: PlayerActor; close: () => void }) {
  const { t } = useTranslation('player')
  const movable = useSelector(actor, ({ context }) => canMove(context))
  const channel = useSelector(actor, ({ context }) => context.playable?.kind === 'channel')
  const seconds = PLAYER.skipSeconds
  const shortcuts: [keys: string[], text: string][] = [
    ...(movable
      ? ([
          [[t('keySpace')], t('playOrPause')],
          [['←'], t('back', { seconds })],
          [['→'], t('forward', { seconds })],
        ] satisfies [string[], string][])
      : []),
    [['↑', '↓'], t('volume')],
    [['M'], t('mute')],
    [['F'], t('fullscreen')],
    ...(channel ? ([[['Page ↑', 'Page ↓'], t('zap')]] satisfies [string[], string][]) : []),
    [['?'], t('shortcuts')],
    [[t('keyEscape')], t('close')],
  ]
  return (
    <div className={styles.place}>
      <OptionsPanel id="player-shortcuts" label={t('shortcuts')} close={close} className={styles.panel}>
        <h2 className={styles.title}>{t('shortcuts')}</h2>
        <dl className={styles.list}>
          {shortcuts.map(([keys, text]) => (
            <div key={text} className={styles.line}>
              <dt>
                {keys.map((key) => (
                  <kbd key={key} className={styles.key}>
                    {key}
                  </kbd>
                ))}
              </dt>
              <dd className={styles.text}>{text}</dd>
            </div>
          ))}
        </dl>
      </OptionsPanel>
    </div>
  )
}
