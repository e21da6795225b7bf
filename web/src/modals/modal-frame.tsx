import type { ReactNode } from 'react'
import { Heading } from 'react-aria-components/Heading'
import { useTranslation } from 'react-i18next'
import { Button } from '../design/buttons/button.tsx'
import { CloseIcon } from '../design/icons/icons.tsx'
import styles from './modal-frame.module.css'

/** The common parts of modals: title, text, content, and actions, the main action first. */
export function ModalFrame({
  title,
  text = '',
  onClose,
  actions,
  children,
}: {
  title: string
  text?: string
  /** Omitted for modals that require an answer. */
  onClose?: () => void
  actions?: ReactNode
  children?: ReactNode
}) {
  const { t } = useTranslation('modals')
  return (
    <div className={styles.frame}>
      <div className={styles.head}>
        <Heading slot="title" level={2} className={styles.title ?? ''}>
          {title}
        </Heading>
        {onClose !== undefined && (
          <Button
            look="plain"
            className={styles.close}
            aria-label={t('close')}
            data-dismiss=""
            onPress={onClose}
          >
            <CloseIcon />
          </Button>
        )}
      </div>
      {text !== '' && <p className={styles.text}>{text}</p>}
      {children}
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    </div>
  )
}
