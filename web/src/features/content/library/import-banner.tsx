import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../design/buttons/button.tsx'
import { Progress } from '../../../design/cards/progress.tsx'
import { secondsText } from '../../../words/format.ts'
import { isChild, sessionQuery, useSession } from '../../ground/session/session.ts'
import styles from './import-banner.module.css'
import { type ImportProgress, importProgressQuery } from './progress-query.ts'

const load = () => import('./import-list.tsx')
const ImportList = lazy(load)

/**
 * Shows adults the progress of an import. For every viewer, refetches the content of the page when more titles are
 * ready.
 */
export function ImportBanner() {
  const session = useSession()
  const { data } = useQuery({ ...importProgressQuery, enabled: session.storefront.demonstration })
  useRefreshAsFilmsArrive(data?.ready)
  return data?.running === true && !isChild(session) ? <Banner progress={data} /> : null
}

function Banner({ progress }: { progress: ImportProgress }) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  const facts = [
    t('imports.summary', { ready: progress.ready, total: progress.total }),
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

/** Refetches the catalogue when the number of ready films changes. */
function useRefreshAsFilmsArrive(ready: number | undefined): void {
  const queries = useQueryClient()
  const before = useRef(ready)
  useEffect(() => {
    if (ready === undefined || ready === before.current) return
    before.current = ready
    void queries.invalidateQueries({
      predicate: ({ queryKey }) =>
        queryKey[0] !== importProgressQuery.queryKey[0] && queryKey[0] !== sessionQuery.queryKey[0],
    })
  }, [queries, ready])
}
