import { deviceLook } from '@ondine/contract/device-names'
import { type FormEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../design/buttons/button.tsx'
import { TextField } from '../../design/fields/text-field.tsx'
import { CheckIcon, LiveIcon } from '../../design/icons/icons.tsx'
import { LaptopIcon, PhoneIcon } from '../../design/icons/screen-icons.tsx'
import { ModalFrame } from '../modal-frame.tsx'
import type { PairingFailure } from '../modal-kinds.ts'
import type { ModalViewProps } from '../modal-view.ts'
import styles from './devices.module.css'

/** Names and icons of devices by type (A2.3-10). */
const LOOKS = {
  laptop: { name: 'deviceLaptop', icon: <LaptopIcon /> },
  phone: { name: 'devicePhone', icon: <PhoneIcon /> },
  television: { name: 'deviceTelevision', icon: <LiveIcon /> },
} as const

/** The devices of the account. The viewer can remove a device to make room for another (A8.3-02). */
export function ManageDevicesView({ modal, answer }: ModalViewProps<'manageDevices'>) {
  const { t } = useTranslation('modals')
  const { devices, numberOfDevices, maxNumberOfDevices } = modal
  return (
    <ModalFrame
      title={modal.title || t('manageDevicesTitle')}
      text={modal.description || t('manageDevices')}
      onClose={() => answer(null)}
      actions={
        <>
          <Button look="primary" onPress={() => answer({ action: 'page' })}>
            {modal.primaryLabel || t('manageDevicesPage')}
          </Button>
          <Button onPress={() => answer(null)}>{t('close')}</Button>
        </>
      }
    >
      {numberOfDevices !== null && maxNumberOfDevices !== null && (
        <p className={styles.count}>
          {t('manageDevicesCount', { count: numberOfDevices, max: maxNumberOfDevices })}
        </p>
      )}
      {devices.length > 0 && (
        <ul className={styles.devices}>
          {devices.map(({ idDevice, name, type, lastUsed, current }) => {
            const { name: kind, icon } = LOOKS[deviceLook(type)]
            return (
              <li key={idDevice} className={styles.device}>
                {icon}
                <div className={styles.words}>
                  <p className={styles.name}>{name || t(kind)}</p>
                  <p className={styles.last}>
                    {current && `${t('deviceCurrent')} · `}
                    {t('deviceLast', { date: lastUsed })}
                  </p>
                </div>
                <Button
                  look="plain"
                  aria-label={t('deviceRemoveLabel', { name: name || t(kind) })}
                  onPress={() => answer({ action: 'remove', idDevice })}
                >
                  {t('deviceRemove')}
                </Button>
              </li>
            )
          })}
        </ul>
      )}
    </ModalFrame>
  )
}

type Step =
  | { step: 'input' | 'loading' | 'success' }
  | { step: 'confirm'; name: string }
  | { step: 'failure'; failure: PairingFailure }

/** Pairs a television by its displayed code, in four steps: input, loading, failure, success (A2.3). */
export function AddDeviceView({ modal, answer, settle }: ModalViewProps<'addDevice'>) {
  const { t } = useTranslation('modals')
  const form = useId()
  const { t: words } = useTranslation('devices')
  const [code, setCode] = useState(modal.value)
  const [at, setAt] = useState<Step>({ step: 'input' })
  const failed: PairingFailure = { title: t('addDeviceFailed'), description: t('addDeviceFailedText') }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (code.trim() === '') return
    setAt({ step: 'loading' })
    const found =
      modal.find === undefined ? undefined : await modal.find(code.trim()).catch(() => ({ failure: failed }))
    if (found === undefined) await pair()
    else if ('failure' in found) setAt({ step: 'failure', failure: found.failure })
    else setAt({ step: 'confirm', name: found.name })
  }

  async function pair(): Promise<void> {
    setAt({ step: 'loading' })
    const failure = await modal.pair(code.trim()).catch(() => failed)
    if (failure === null) settle(true)
    setAt(failure === null ? { step: 'success' } : { step: 'failure', failure })
  }

  // The key gives each step its own buttons. If React reused a button, a second press would trigger the action of the
  // next step.
  if (at.step === 'confirm') {
    return (
      <ModalFrame
        key="confirm"
        title={words('confirmTitle', { name: at.name })}
        text={words('confirmText')}
        onClose={() => answer(false)}
        actions={
          <>
            <Button look="primary" autoFocus onPress={() => void pair()}>
              {words('confirm')}
            </Button>
            <Button onPress={() => answer(false)}>{t('cancel')}</Button>
          </>
        }
      />
    )
  }

  if (at.step === 'success') {
    return (
      <ModalFrame
        key="success"
        title={t('addDeviceSuccess')}
        text={t('addDeviceSuccessText')}
        onClose={() => answer(true)}
        actions={
          <Button look="primary" autoFocus onPress={() => answer(true)}>
            {t('ok')}
          </Button>
        }
      >
        <span className={styles.done}>
          <CheckIcon />
        </span>
      </ModalFrame>
    )
  }
  if (at.step === 'failure') {
    return (
      <ModalFrame
        key="failure"
        title={at.failure.title}
        text={at.failure.description}
        onClose={() => answer(false)}
        actions={
          <>
            <Button look="primary" autoFocus onPress={() => setAt({ step: 'input' })}>
              {t('addDeviceRetry')}
            </Button>
            <Button onPress={() => answer(false)}>{t('cancel')}</Button>
          </>
        }
      />
    )
  }
  const loading = at.step === 'loading'
  return (
    <ModalFrame
      title={modal.title || t('addDeviceTitle')}
      text={modal.description || t('addDevice')}
      onClose={() => answer(false)}
      actions={
        <Button look="primary" type="submit" form={form} isDisabled={code.trim() === ''} isPending={loading}>
          {t(loading ? 'addDeviceLoading' : 'addDeviceGo')}
        </Button>
      }
    >
      <form id={form} noValidate onSubmit={(event) => void submit(event)}>
        <TextField
          name="code"
          label={t('addDeviceLabel')}
          autoComplete="off"
          autoFocus
          value={code}
          onChange={setCode}
        />
      </form>
    </ModalFrame>
  )
}
