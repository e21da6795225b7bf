import type { ComponentType } from 'react'
import type { ModalKind } from '../modal-kinds.ts'
import type { ModalViewProps } from '../modal-view.ts'
import { AiSummaryView } from './ai-summary.tsx'
import { ActionsView, ManageMediaView, PaymentView, SubscribeView } from './choices.tsx'
import { ChooseDownloadView } from './choose-download.tsx'
import { AddDeviceView, ManageDevicesView } from './devices.tsx'
import { InputView } from './input.tsx'
import { AlertView, QuestionView, SuspendedView } from './messages.tsx'
import { ProfileView } from './profiles.tsx'
import { RecordSeriesView } from './record-series.tsx'
import { ShareView } from './share.tsx'
import { SwitchProfileView } from './switch-profile.tsx'

/** The view of each kind. */
export const VIEWS: { readonly [Kind in ModalKind]: ComponentType<ModalViewProps<Kind>> } = {
  alert: AlertView,
  confirm: QuestionView,
  restrictPayment: QuestionView,
  input: InputView,
  download: QuestionView,
  chooseDownload: ChooseDownloadView,
  subscribe: SubscribeView,
  switchProfile: SwitchProfileView,
  share: ShareView,
  profile: ProfileView,
  manageDevices: ManageDevicesView,
  manageMedia: ManageMediaView,
  addDevice: AddDeviceView,
  resetPassword: QuestionView,
  privacyPolicyConsent: QuestionView,
  payment: PaymentView,
  aISummary: AiSummaryView,
  quotaLimit: QuestionView,
  recordSeries: RecordSeriesView,
  actions: ActionsView,
  suspended: SuspendedView,
}
