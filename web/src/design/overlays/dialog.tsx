import type { ReactNode } from 'react'
import { Dialog as AriaDialog } from 'react-aria-components/Dialog'
import { Heading } from 'react-aria-components/Heading'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { Button } from '../buttons/button.tsx'
import styles from './dialog.module.css'

/** A modal dialog. Escape, a press on the backdrop, or its button closes it. */
export function Dialog({
  title,
  closeText,
  onClose,
  children,
}: {
  title: string
  closeText: string
  onClose: () => void
  children: ReactNode
}) {
  return (
    <ModalOverlay
      className={styles.ground ?? ''}
      isOpen
      isDismissable
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
    >
      <Modal className={styles.panel ?? ''}>
        <AriaDialog className={styles.dialog ?? ''}>
          <div className={styles.head}>
            <Heading slot="title" level={2}>
              {title}
            </Heading>
            <Button onPress={onClose}>{closeText}</Button>
          </div>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}
