{{- define "branchline.name" -}}
{{- .Values.nameOverride | default .Chart.Name | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{/* Short enough for "-metrics" behind it. */}}
{{- define "branchline.fullname" -}}
{{- $name := include "branchline.name" . -}}
{{- $own := ternary .Release.Name (printf "%s-%s" .Release.Name $name) (contains $name .Release.Name) -}}
{{- .Values.fullnameOverride | default $own | trunc 52 | trimSuffix "-" -}}
{{- end -}}

{{- define "branchline.selector" -}}
app.kubernetes.io/name: {{ include "branchline.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "branchline.labels" -}}
{{ include "branchline.selector" . }}
app.kubernetes.io/component: server
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name (.Chart.Version | replace "+" "_") }}
{{- end -}}

{{- define "branchline.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}

{{- define "branchline.webHost" -}}
{{- .Values.webHost | default (ternary .Values.ingress.host "" .Values.ingress.enabled) -}}
{{- end -}}

{{/* What a pod may do: Kubernetes' "restricted" standard. */}}
{{- define "branchline.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{- define "branchline.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}
