import type { ImportItem } from '@ondine/contract/imports'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../design/dialog.tsx'
import { Progress } from '../../design/progress.tsx'
import styles from './import-list.module.css'

/** Everything that is arriving, one by one, with why something did not. */
export default function ImportList({ items, onClose }: { items: ImportItem[]; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Dialog title={t('imports.list')} closeText={t('imports.close')} onClose={onClose}>
      <ul className={styles.list}>
        {inWorkingOrder(items).map((item) => (
          <li key={`${item.kind} ${item.id}`} className={styles.item} data-state={item.state}>
            <span className={styles.title}>{item.title}</span>
            <span className={styles.state}>
              {t(`imports.${item.state}`)}
              {isUnderWay(item) && ` · ${t('imports.percent', { percent: Math.round(item.percent) })}`}
            </span>
            {item.reason !== null && <span className={styles.reason}>{item.reason}</span>}
            {isUnderWay(item) && (
              <span className={styles.line}>
                <Progress value={item.percent / 100} label={item.title} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

/** What is worked on first, then what waits, in its turn, then what failed, and what is ready last. */
function inWorkingOrder(items: readonly ImportItem[]): ImportItem[] {
  const place = (item: ImportItem) => (isUnderWay(item) ? 0 : (PLACES[item.state] ?? 1))
  return items.toSorted((one, other) => place(one) - place(other))
}

const PLACES: Partial<Record<ImportItem['state'], number>> = { failed: 2, ready: 3 }

function isUnderWay({ state }: ImportItem): boolean {
  return (
    state === 'making' ||
    state === 'probing' ||
    state === 'encoding' ||
    state === 'packaging' ||
    state === 'publishing'
  )
}
