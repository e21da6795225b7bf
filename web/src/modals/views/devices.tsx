import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../design/button.tsx'
import { CheckIcon, LaptopIcon, LiveIcon, PhoneIcon } from '../../design/icons.tsx'
import { TextField } from '../../design/text-field.tsx'
import { ModalFrame } from '../modal-frame.tsx'
import type { PairingFailure } from '../modal-kinds.ts'
import type { ModalViewProps } from '../modal-view.ts'
import styles from './devices.module.css'

/** What a device looks like by its type; what is not known is a television (A2.3). */
function look(type: string): { name: 'deviceLaptop' | 'devicePhone' | 'deviceTelevision'; icon: ReactNode } {
  if (type === 'device_pc_osx') return { name: 'deviceLaptop', icon: <LaptopIcon /> }
  if (type === 'device_ios_phone' || type === 'device_android_phone') {
    return { name: 'devicePhone', icon: <PhoneIcon /> }
  }
  return { name: 'deviceTelevision', icon: <LiveIcon /> }
}

/** The devices of the account, one of which can be removed to make room (A8.3-02). */
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
            const { name: kind, icon } = look(type)
            return (
              <li key={idDevice} className={styles.device}>
                {icon}
                <div className={styles.words}>
                  <p className={styles.name}>{name || t(kind)}</p>
                  <p className={styles.last}>
                    {current ? t('deviceCurrent') : t('deviceLast', { date: lastUsed })}
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

type Step = { step: 'input' | 'loading' | 'success' } | { step: 'failure'; failure: PairingFailure }

/** Pairs a television by the code that it shows, in four steps: input, loading, failure, success (A2.3). */
export function AddDeviceView({ modal, answer, settle }: ModalViewProps<'addDevice'>) {
  const { t } = useTranslation('modals')
  const form = useId()
  const [code, setCode] = useState('')
  const [at, setAt] = useState<Step>({ step: 'input' })

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (code.trim() === '') return
    setAt({ step: 'loading' })
    const failure = await modal
      .pair(code.trim())
      .catch(() => ({ title: t('addDeviceFailed'), description: t('addDeviceFailedText') }))
    if (failure === null) settle(true)
    setAt(failure === null ? { step: 'success' } : { step: 'failure', failure })
  }

  if (at.step === 'success') {
    return (
      <ModalFrame
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
