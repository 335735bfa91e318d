{{- define "branchline.environment" -}}
{{- with .Values -}}
- name: PORT
  value: "3000"
- name: BRANCHLINE_DEMO
  value: {{ .demo | quote }}
- name: BRANCHLINE_DRAIN_DELAY
  value: {{ .drainDelay | quote }}
- name: BRANCHLINE_DRAIN_TIMEOUT
  value: {{ .drainTimeout | quote }}
- name: BRANCHLINE_EXPORT_SPOOL
  value: {{ .exportSpoolMiB | quote }}
- name: BRANCHLINE_TRUSTED_PROXIES
  value: {{ .trustedProxies | quote }}
- name: NODE_OPTIONS
  value: {{ .nodeOptions | quote }}
{{- if .metrics.enabled }}
- name: BRANCHLINE_METRICS_ADDRESS
  value: {{ printf "0.0.0.0:%v" .metrics.port | quote }}
{{- end }}
{{- with include "branchline.webHost" $ }}
- name: BRANCHLINE_WEB_HOST
  value: {{ . | quote }}
{{- end }}
{{- if eq .engine "postgres" }}
- name: DATABASE_URL
  valueFrom:
    secretKeyRef:
      name: {{ required "With engine postgres, secret.name must name a Secret that holds the URL of the database and the hash key." .secret.name }}
      key: {{ .secret.databaseUrlKey }}
{{- end }}
{{- if .secret.name }}
- name: BRANCHLINE_HASH_KEY
  valueFrom:
    secretKeyRef:
      name: {{ .secret.name }}
      key: {{ .secret.hashKeyKey }}
{{- end }}
{{- if .oidc.issuer }}
- name: BRANCHLINE_OIDC_ISSUER
  value: {{ .oidc.issuer | quote }}
- name: BRANCHLINE_OIDC_CLIENT_ID
  value: {{ required "With oidc.issuer, oidc.clientId must say what this server is registered as." .oidc.clientId | quote }}
- name: BRANCHLINE_OIDC_CLIENT_SECRET
  valueFrom:
    secretKeyRef:
      name: {{ required "With oidc.issuer, oidc.secretName must name a Secret that holds the client secret." .oidc.secretName }}
      key: {{ .oidc.secretKey }}
{{- end }}
{{- range $name, $value := .settings }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end }}
{{- end -}}

{{/* The template of the pods, of either engine. */}}
{{- define "branchline.pod" -}}
metadata:
  labels:
    {{- include "branchline.labels" . | nindent 4 }}
  {{- with .Values.podAnnotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  automountServiceAccountToken: false
  # Kubernetes' variables for services named branchline-… would look like settings.
  enableServiceLinks: false
  {{- with .Values.imagePullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  # The server ends by itself before that.
  terminationGracePeriodSeconds: {{ add .Values.drainDelay .Values.drainTimeout 5 }}
  securityContext:
    {{- include "branchline.podSecurity" . | nindent 4 }}
  containers:
    - name: server
      image: {{ include "branchline.image" . | quote }}
      imagePullPolicy: {{ .Values.image.pullPolicy }}
      securityContext:
        {{- include "branchline.containerSecurity" . | nindent 8 }}
      env:
        {{- include "branchline.environment" . | nindent 8 }}
      ports:
        - name: http
          containerPort: 3000
        {{- if .Values.metrics.enabled }}
        - name: metrics
          containerPort: {{ .Values.metrics.port }}
        {{- end }}
      # Migrations may take 10 minutes, and come before the server listens.
      startupProbe:
        httpGet: { path: /livez, port: http }
        periodSeconds: 2
        failureThreshold: 330
      livenessProbe:
        httpGet: { path: /livez, port: http }
        periodSeconds: 10
        timeoutSeconds: 5
      # A look at the database takes 2 seconds at most.
      readinessProbe:
        httpGet: { path: /readyz, port: http }
        periodSeconds: 5
        timeoutSeconds: 4
      resources:
        {{- toYaml .Values.resources | nindent 8 }}
      volumeMounts:
        - name: data
          mountPath: /data
        - name: tmp
          mountPath: /tmp
  volumes:
    - name: tmp
      emptyDir:
        sizeLimit: {{ ternary (add .Values.exportSpoolMiB 64) 64 (eq .Values.engine "postgres") }}Mi
    {{- if eq .Values.engine "postgres" }}
    # Nothing is kept there.
    - name: data
      emptyDir:
        sizeLimit: 1Mi
    {{- end }}
  {{- with .Values.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}
