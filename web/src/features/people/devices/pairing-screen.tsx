import { shownCode } from '@ondine/contract/pairing-code'
import newQrCode from 'qrcode-generator'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { environment } from '../../../api/environment.ts'
import { Button } from '../../../design/buttons/button.tsx'
import { Waves } from '../../../design/icons/waves.tsx'
import { pathOf } from '../../ground/links/content-link.ts'
import { markAsScreen } from './paired-screen.ts'
import { usePairingCode } from './pairing-code.ts'
import styles from './pairing-screen.module.css'

/**
 * The screen of a television that waits for its pairing. It shows a code, and the QR code of the page on which the
 * viewer enters the code (A4.7-02). `logo` is the service's logo.
 *
 * @param onPaired called before the next page of the paired television loads
 */
export function PairingScreen({ logo, onPaired }: { logo: ReactNode; onPaired: () => void }) {
  const { t } = useTranslation()
  const { state, renew } = usePairingCode(() => {
    onPaired()
    continueAsPaired()
  })
  const page = `${environment().origin}/account/devices`
  return (
    <main className={styles.screen}>
      <Waves />
      <div className={styles.panel}>
        <div className={styles.logo}>{logo}</div>
        <h1 className={styles.title}>{t('pairing.title')}</h1>
        <p className={styles.lead}>
          {t('pairing.lead')}
          <strong className={styles.address}>{page.replace(/^https?:\/\//, '')}</strong>
        </p>
        {state.kind === 'waiting' || state.kind === 'starting' ? (
          <>
            <p className={styles.code} aria-label={t('pairing.code')} aria-busy={state.kind === 'starting'}>
              {state.kind === 'waiting' ? shownCode(state.code) : <span className={styles.bone} />}
            </p>
            <QrCode
              address={state.kind === 'waiting' ? `${page}?code=${state.code}` : undefined}
              label={t('pairing.scan')}
            />
            <output className={styles.note}>
              {state.kind === 'waiting' && state.isFull
                ? t('pairing.tooManyDevices')
                : `${t('pairing.waiting')} ${t('pairing.expires')}`}
            </output>
          </>
        ) : (
          <div className={styles.code}>
            <p className={styles.note}>{t(`pairing.${state.kind}`)}</p>
            <Button look="primary" autoFocus onPress={renew}>
              {t('pairing.renew')}
            </Button>
          </div>
        )}
      </div>
    </main>
  )
}

/**
 * Opens the next page of the paired television: the receiver for casting if the receiver led to this pairing screen,
 * otherwise home.
 */
function continueAsPaired(): void {
  markAsScreen()
  const isReceiver = new URLSearchParams(location.search).get('next') === 'receiver'
  location.assign(isReceiver ? pathOf('receiver') : '/')
}

/** The QR code of an address, or its placeholder. */
function QrCode({ address, label }: { address: string | undefined; label: string }) {
  const code = useMemo(() => (address === undefined ? undefined : qrCodeOf(address)), [address])
  return (
    <figure className={styles.qr}>
      {code === undefined ? (
        <div className={styles.bone} />
      ) : (
        <svg viewBox={`-2 -2 ${code.size + 4} ${code.size + 4}`} role="img" aria-label={label}>
          <path d={code.squares} />
        </svg>
      )}
      <figcaption>{label}</figcaption>
    </figure>
  )
}

/**
 * Computes the QR code of an address. `size` is the number of squares per side. `squares` is the SVG path of all
 * dark squares, in units of one square.
 */
function qrCodeOf(address: string): { size: number; squares: string } {
  const made = newQrCode(0, 'M')
  made.addData(address)
  made.make()
  const size = made.getModuleCount()
  const squares = Array.from({ length: size * size }, (_, index) => {
    const [row, column] = [Math.floor(index / size), index % size]
    return made.isDark(row, column) ? `M${column} ${row}h1v1h-1z` : ''
  })
  return { size, squares: squares.join('') }
}
