package main

import (
	"encoding/json"
	"strings"
	"time"
)

// columns of the export, in the document's order.
var columns = []string{
	"branchName", "branchId", "branchCreatorId", "branchCreatorEmail", "creationDate", "branchStatus",
	"collaborators", "lastPublishedDate", "markedReadyForReviewDate", "markedReadyForReviewerUserEmail",
	"branchMergedDate", "branchMergedUserEmail",
}

const timeFormat = "2006-01-02T15:04:05.000Z"

func (s *Service) export(c *Call) *Answer {
	list := append([]*Branch(nil), c.World.Branches[c.Workspace]...)
	if s.hooks.Branches != nil {
		list = s.hooks.Branches(c, list)
	}
	table := [][]string{append([]string(nil), columns...)}
	for _, b := range list {
		table = append(table, s.row(c, b))
	}
	if s.hooks.Table != nil {
		table = s.hooks.Table(c, table)
	}
	body := writeCSV(table, ",", "\r\n", quoteWhereNeeded)
	if s.hooks.CSV != nil {
		body = s.hooks.CSV(c, body)
	}
	return &Answer{Kind: "export", Status: 200, Type: "text/csv; charset=utf-8", Body: []byte(body)}
}

func (s *Service) row(c *Call, b *Branch) []string {
	row := make([]string, len(columns))
	for i, column := range columns {
		row[i] = cell(b, column)
		if s.hooks.Cell != nil {
			row[i] = s.hooks.Cell(c, b, column, row[i])
		}
	}
	return row
}

// cell is the text of one column of a branch; empty where the branch has not come so far.
func cell(b *Branch, column string) string {
	switch column {
	case "branchName":
		return b.Name
	case "branchId":
		return b.ID
	case "branchCreatorId":
		return b.CreatorID
	case "branchCreatorEmail":
		return b.CreatorEmail
	case "branchStatus":
		return b.Status
	case "collaborators":
		return emailList(b.Collaborators)
	case "markedReadyForReviewerUserEmail":
		return b.ReadyBy
	case "branchMergedUserEmail":
		return b.MergedBy
	}
	return stamp(b.date(column), timeFormat)
}

// date is the time of one of the four date columns.
func (b *Branch) date(column string) time.Time {
	switch column {
	case "creationDate":
		return b.Created
	case "lastPublishedDate":
		return b.Published
	case "markedReadyForReviewDate":
		return b.Ready
	case "branchMergedDate":
		return b.Merged
	}
	return time.Time{}
}

func stamp(t time.Time, format string) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(format)
}

func emailList(emails []string) string {
	if len(emails) == 0 {
		return "[]"
	}
	text, err := json.Marshal(emails)
	if err != nil {
		panic(err)
	}
	return string(text)
}

func quoteWhereNeeded(s string) string {
	if strings.ContainsAny(s, ",\"\r\n") {
		return quoteAlways(s)
	}
	return s
}

func quoteAlways(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }

// writeCSV writes each row with its line end.
func writeCSV(table [][]string, comma, end string, quote func(string) string) string {
	var b strings.Builder
	for _, row := range table {
		for i, text := range row {
			if i > 0 {
				b.WriteString(comma)
			}
			b.WriteString(quote(text))
		}
		b.WriteString(end)
	}
	return b.String()
}
