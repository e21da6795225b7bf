import type { ImportItem } from '@ondine/contract/library'
import { useTranslation } from 'react-i18next'
import { Progress } from '../../../design/cards/progress.tsx'
import { Dialog } from '../../../design/overlays/dialog.tsx'
import styles from './import-list.module.css'
import { inWorkingOrder, isUnderWay } from './working-order.ts'

/** All items of the import, with the reason for each failure. */
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
