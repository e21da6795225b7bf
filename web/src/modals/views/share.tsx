import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../design/buttons/button.tsx'
import { CheckIcon } from '../../design/icons/icons.tsx'
import { LinkIcon, MailIcon, ShareIcon } from '../../design/icons/screen-icons.tsx'
import { UNSEEN } from '../../design/page/unseen.ts'
import { Picture } from '../../design/pictures/picture.tsx'
import { ModalFrame } from '../modal-frame.tsx'
import type { ModalViewProps } from '../modal-view.ts'
import styles from './share.module.css'

/** Shares a title by the device's own share sheet where available, as a link, or by e-mail. */
export function ShareView({ modal, answer, settle }: ModalViewProps<'share'>) {
  const { t } = useTranslation('modals')
  const { shareUrl, itemContent } = modal
  const title = itemContent?.title ?? ''
  const address = useRef<HTMLInputElement>(null)
  const [copied, setCopied] = useState<boolean>()
  const subject = encodeURIComponent(title)
  const body = encodeURIComponent(t('shareBody', { title, url: shareUrl }))

  async function copy(): Promise<void> {
    const done = await copyText(shareUrl)
    setCopied(done)
    if (done) settle('copied')
    else address.current?.select()
  }

  async function shareNatively(): Promise<void> {
    try {
      await navigator.share({ title, url: shareUrl })
      answer('native')
    } catch (error) {
      // A `DOMException` means that the viewer closed the device's share sheet, which is not a fault. The other
      // ways to share are still available.
      if (!(error instanceof DOMException)) throw error
    }
  }

  return (
    <ModalFrame
      title={modal.title || t('shareTitle')}
      text={modal.description || t('share', { title })}
      onClose={() => answer(copied === true ? 'copied' : null)}
    >
      {itemContent?.image != null && (
        <div className={styles.picture}>
          <Picture image={itemContent.image} sizes="440px" />
        </div>
      )}
      <div className={styles.link}>
        <input
          ref={address}
          className={styles.address}
          aria-label={t('shareLink')}
          value={shareUrl}
          readOnly
          onFocus={(event) => event.currentTarget.select()}
        />
        <Button look="primary" className={styles.copy} autoFocus onPress={() => void copy()}>
          {copied === true ? <CheckIcon /> : <LinkIcon />}
          {copied === true ? t('shareCopied') : t('shareCopy')}
        </Button>
      </div>
      <output className={styles.status}>
        {copied === true && <span className={UNSEEN}>{t('shareCopied')}</span>}
        {copied === false && t('shareCopyFailed')}
      </output>
      <div className={styles.ways}>
        {'share' in navigator && (
          <Button onPress={() => void shareNatively()}>
            <ShareIcon />
            {t('shareNative')}
          </Button>
        )}
        <a
          className={styles.way}
          href={`mailto:?subject=${subject}&body=${body}`}
          onClick={() => answer('email')}
        >
          <MailIcon />
          {t('shareEmail')}
        </a>
      </div>
    </ModalFrame>
  )
}

/** Copies a text to the clipboard. Resolves with false if the browser forbids it, as on a page without HTTPS. */
async function copyText(text: string): Promise<boolean> {
  if (!('clipboard' in navigator)) return false
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch (error) {
    if (error instanceof DOMException) return false
    throw error
  }
}
