import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../design/buttons/button.tsx'
import { Progress } from '../../../design/cards/progress.tsx'
import { secondsText } from '../../../words/format.ts'
import styles from './import-summary.module.css'
import type { ImportProgress } from './progress-query.ts'

const load = () => import('./import-list.tsx')
const ImportList = lazy(load)

/** The progress of an import as a whole, with a button for the list of its items. */
export default function ImportSummary({ progress }: { progress: ImportProgress }) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  const facts = [
    t('imports.summary', { count: progress.ready, total: progress.total }),
    t('imports.percent', { percent: Math.round(progress.percent) }),
    progress.secondsLeft === null
      ? ''
      : t('imports.left', { duration: secondsText(progress.secondsLeft, t) }),
  ]
  return (
    <aside className={styles.banner} aria-label={t('imports.list')}>
      <div className={styles.words}>
        <p className={styles.title}>{t('imports.title')}</p>
        <p className={styles.facts}>{facts.filter(Boolean).join(' · ')}</p>
      </div>
      <Button look="plain" onHoverStart={() => void load()} onPress={() => setOpen(true)}>
        {t('imports.show')}
      </Button>
      <div className={styles.line}>
        <Progress value={progress.percent / 100} label={t('imports.progress')} />
      </div>
      {open && (
        <Suspense>
          <ImportList items={progress.items} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </aside>
  )
}
